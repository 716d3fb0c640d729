import { Captions, CaptionsOff, RotateCcw, RotateCw } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useState } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { Button } from '#src/components/Button.tsx';
import type { PlayerPartProps } from '#src/features/lessons/player-part.ts';
import { Chapters } from './Chapters.tsx';
import { Transcript } from './Transcript.tsx';
import { clockText, resumeAt } from './watching.ts';
import { EmbeddedVideo } from '#src/features/lessons/EmbeddedVideo.tsx';
import type { CaptionsTrack } from '#src/features/lessons/types/video/captions.ts';
import type { Chapter } from '#src/features/lessons/types/video/chapters.ts';
import type { Embed } from '#src/features/lessons/types/video/embed.ts';

const SPEEDS: readonly number[] = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
const SPEED_KEY = 'learn:speed';
const CAPTIONS_KEY = 'learn:captions';
const LANGUAGE_KEY = 'learn:captions-language';
const STEP_SECONDS = 10;
const CHAPTER_BACK_SECONDS = 3;

function keptChoice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
function keepChoice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows of some browsers keep nothing.
  }
}

interface VideoFile {
  src: string;
  mimeType: string | null;
  media: string | null;
}

export interface VideoSource {
  files: VideoFile[];
  poster: string | null;
  captions: CaptionsTrack[];
  chapters: Chapter[];
  duration: number | null;
  position: number;
}

export function VideoPart({ own, ...props }: PlayerPartProps<VideoSource | Embed>) {
  if ('frame' in own) return <EmbeddedVideo embed={own} title={props.title} />;
  if (own.files.length > 0)
    return <VideoPlayer own={own} title={props.title} startAt={props.startAt} player={props.player} />;
  return (
    <p className="mb-8 card px-5 py-8 text-center text-ink-soft">
      The video is being prepared. Please come back in a while.
    </p>
  );
}

function useCaptions(player: RefObject<HTMLVideoElement | null>, tracks: readonly CaptionsTrack[]) {
  const [captionsOn, setCaptionsOn] = useState(true);
  // Null until the first one: no empty band below a film that waits.
  const [caption, setCaption] = useState<string | null>(null);
  const [chosen, setChosen] = useState(0);
  const captionsWanted = useLatest(captionsOn);

  useEffect(() => {
    if (keptChoice(CAPTIONS_KEY) === 'off') setCaptionsOn(false);
    const kept = keptChoice(LANGUAGE_KEY);
    setChosen(
      Math.max(
        0,
        tracks.findIndex(({ language }) => language === kept),
      ),
    );
  }, [tracks]);

  useEffect(() => {
    const element = player.current;
    const track = element?.textTracks[chosen];
    if (!element || !track) return;
    const show = () => {
      const active = track.activeCues ? [...track.activeCues] : [];
      const text = active
        .map((cue) => ('text' in cue ? String(cue.text).replace(/<[^>]*>/g, '') : ''))
        .join('\n');
      setCaption((was) => text || (was && ''));
    };
    // On the whole screen there is no room beside the picture: there the browser draws them.
    const place = () => {
      const whole =
        document.fullscreenElement === element || Reflect.get(element, 'webkitDisplayingFullscreen');
      const mode = whole && captionsWanted.current ? 'showing' : 'hidden';
      for (const one of element.textTracks) {
        // A language that nobody chose is not even loaded.
        const wanted = one === track ? mode : 'disabled';
        if (one.mode !== wanted) one.mode = wanted;
      }
    };
    const browserMenu = () => {
      const whole =
        document.fullscreenElement === element || Reflect.get(element, 'webkitDisplayingFullscreen');
      const shown = [...element.textTracks].findIndex(({ mode }) => mode === 'showing');
      if (whole || shown === -1) return;
      setCaptionsOn(true);
      setChosen(shown);
      place();
    };
    place();
    show();
    track.addEventListener('cuechange', show);
    element.textTracks.addEventListener('change', browserMenu);
    document.addEventListener('fullscreenchange', place);
    element.addEventListener('webkitbeginfullscreen', place);
    element.addEventListener('webkitendfullscreen', place);
    return () => {
      track.removeEventListener('cuechange', show);
      element.textTracks.removeEventListener('change', browserMenu);
      document.removeEventListener('fullscreenchange', place);
      element.removeEventListener('webkitbeginfullscreen', place);
      element.removeEventListener('webkitendfullscreen', place);
    };
  }, [player, chosen]);

  function toggleCaptions() {
    keepChoice(CAPTIONS_KEY, captionsOn ? 'off' : 'on');
    setCaptionsOn(!captionsOn);
  }

  function chooseLanguage(language: string) {
    keepChoice(LANGUAGE_KEY, language);
    setChosen(tracks.findIndex((track) => track.language === language));
  }

  return { caption, captionsOn, toggleCaptions, chosen, chooseLanguage };
}

function Choice({
  label,
  name,
  value,
  onChoose,
  children,
}: {
  label: string;
  name?: string;
  value: string | number;
  onChoose: (value: string) => void;
  children: ReactNode;
}) {
  return (
    <label className="inline-flex min-h-9 items-center gap-2 rounded-md border border-line-strong bg-surface pl-3 text-sm font-semibold shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-accent">
      {label}
      <select
        aria-label={name}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className="min-h-8.5 rounded-md bg-transparent pr-2 font-semibold outline-none"
      >
        {children}
      </select>
    </label>
  );
}

/**
 * The browser's player, with the last position, speed and captions at hand; captions stand below the picture,
 * which they would hide on small screens.
 */
function VideoPlayer({
  own: video,
  title,
  startAt,
  player,
}: Pick<PlayerPartProps<VideoSource>, 'own' | 'title' | 'startAt' | 'player'>) {
  const { src } = video.files.at(-1)!;
  const [speed, setSpeed] = useState(1);
  const { caption, captionsOn, toggleCaptions, chosen, chooseLanguage } = useCaptions(player, video.captions);
  const track = video.captions[chosen];
  const [resumed, setResumed] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    const found = Number(keptChoice(SPEED_KEY));
    if (SPEEDS.includes(found)) setSpeed(found);
  }, []);

  useEffect(() => {
    if (player.current) player.current.playbackRate = speed;
  }, [speed, player]);

  // Goes on where one stopped, once the browser knows how long the video is.
  useEffect(() => {
    const element = player.current;
    if (!element) return;
    // It may have failed before this script was there to hear it.
    if (element.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) setFailed(true);
    const begin = () => {
      const length = Number.isFinite(element.duration) ? element.duration : video.duration;
      const at = startAt ?? resumeAt(video.position, length);
      if (at <= 0 || (length !== null && at >= length)) return;
      element.currentTime = at;
      if (startAt === null) setResumed(at);
    };
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    else element.addEventListener('loadedmetadata', begin, { once: true });
    return () => element.removeEventListener('loadedmetadata', begin);
  }, [player, startAt, video.position, video.duration]);

  function move(seconds: number) {
    const element = player.current;
    if (element) element.currentTime = Math.max(0, element.currentTime + seconds);
  }

  function toChapter(by: 1 | -1) {
    const element = player.current;
    if (!element) return;
    const at = element.currentTime;
    const next =
      by === 1
        ? video.chapters.find(({ start }) => start > at)
        : video.chapters.findLast(({ start }) => start < at - CHAPTER_BACK_SECONDS);
    if (next) element.currentTime = next.start;
    else if (by === -1) element.currentTime = 0;
  }

  function chooseSpeed(value: number) {
    setSpeed(value);
    keepChoice(SPEED_KEY, String(value));
  }

  // Letters, while the focus is in the player; space and arrows are the browser's own.
  function onKeyDown(event: KeyboardEvent) {
    const element = player.current;
    if (
      !element ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target instanceof HTMLSelectElement
    )
      return;
    const faster = SPEEDS[Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + 1)]!;
    const slower = SPEEDS[Math.max(0, SPEEDS.indexOf(speed) - 1)]!;
    const action = {
      k: () => void (element.paused ? element.play() : element.pause()),
      j: () => move(-STEP_SECONDS),
      l: () => move(STEP_SECONDS),
      c: toggleCaptions,
      m: () => {
        element.muted = !element.muted;
      },
      f: () => void (document.fullscreenElement ? document.exitFullscreen() : element.requestFullscreen?.()),
      n: () => toChapter(1),
      p: () => toChapter(-1),
      '>': () => chooseSpeed(faster),
      '<': () => chooseSpeed(slower),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts for controls that are all here
    <div onKeyDown={onKeyDown} className="mb-8">
      <div className="overflow-hidden rounded-lg bg-navy">
        {/* biome-ignore lint/a11y/useMediaCaption: the track is there wherever the lesson has captions */}
        <video
          ref={player}
          controls
          playsInline
          preload="metadata"
          aria-label={title}
          poster={video.poster ?? undefined}
          className="aspect-video w-full bg-navy -outline-offset-2"
          onError={() => setFailed(true)}
        >
          {video.files.map((file) => (
            <source
              key={file.src}
              src={file.src}
              type={file.mimeType ?? undefined}
              media={file.media ?? undefined}
              onError={() => file.src === src && setFailed(true)}
            />
          ))}
          {video.captions.map(({ language, label, src: address }, index) => (
            <track
              key={language}
              kind="captions"
              srcLang={language}
              label={label}
              src={address}
              default={index === 0}
            />
          ))}
          <a href={src}>Download the video</a>
        </video>
        {track && captionsOn && caption !== null && (
          <p
            lang={track.language}
            dir="auto"
            className="grid min-h-[4.25rem] place-items-center px-4 py-2 text-center text-base leading-snug text-balance whitespace-pre-line text-on-navy"
          >
            {caption}
          </p>
        )}
      </div>
      <Chapters chapters={video.chapters} player={player} duration={video.duration} />
      {failed && (
        <p role="alert" className="mt-3 text-sm font-medium text-danger">
          The video could not be loaded. Check your connection and reload the page, or{' '}
          <a href={src} className="text-link">
            open the file itself
          </a>
          .
        </p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button
          variant="secondary"
          size="sm"
          onClick={() => move(-STEP_SECONDS)}
          aria-label="Back 10 seconds"
        >
          <RotateCcw aria-hidden="true" />
          10 s
        </Button>
        <Button
          variant="secondary"
          size="sm"
          onClick={() => move(STEP_SECONDS)}
          aria-label="Forward 10 seconds"
        >
          <RotateCw aria-hidden="true" />
          10 s
        </Button>
        {track && (
          <Button variant="secondary" size="sm" aria-pressed={captionsOn} onClick={toggleCaptions}>
            {captionsOn ? <Captions aria-hidden="true" /> : <CaptionsOff aria-hidden="true" />}
            <span className="max-sm:sr-only">Captions</span>
          </Button>
        )}
        {track && video.captions.length > 1 && (
          <Choice
            label="Language"
            name="Language of the captions"
            value={track.language}
            onChoose={chooseLanguage}
          >
            {video.captions.map(({ language, label }) => (
              <option key={language} value={language}>
                {label}
              </option>
            ))}
          </Choice>
        )}
        <Choice label="Speed" value={speed} onChoose={(value) => chooseSpeed(Number(value))}>
          {SPEEDS.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </Choice>
        {resumed !== null && (
          <span className="inline-flex min-h-9 items-center gap-2 text-sm text-ink-soft sm:ml-auto">
            Resumed at {clockText(resumed)}
            <Button
              variant="link"
              size="sm"
              onClick={() => {
                if (player.current) player.current.currentTime = 0;
                setResumed(null);
                player.current?.focus();
              }}
            >
              Start over
            </Button>
          </span>
        )}
      </div>
      <details className="mt-2 text-sm text-ink-soft">
        <summary className="inline-block min-h-6 w-fit rounded-xs underline decoration-1 underline-offset-4">
          Keys
        </summary>
        <p className="mt-1">
          With the focus in the player: <kbd>K</kbd> play or pause, <kbd>J</kbd> and <kbd>L</kbd> ten seconds
          back or forward, <kbd>C</kbd> captions, <kbd>M</kbd> sound, <kbd>F</kbd> whole screen,{' '}
          <kbd>&lt;</kbd> and <kbd>&gt;</kbd> speed
          {video.chapters.length > 0 && (
            <>
              , <kbd>N</kbd> and <kbd>P</kbd> next and previous chapter
            </>
          )}
          .
        </p>
      </details>
      {track && <Transcript player={player} at={chosen} language={track.language} />}
    </div>
  );
}
