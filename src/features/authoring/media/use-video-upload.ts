import { useEffect, useRef, useState } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { discardUpload, useUpload } from './resumable-upload.ts';
import { getVideoCall, listVideosCall, VIDEO_UPLOADS_PATH, type VideoModel, videoProblem } from './schema.ts';

const ASK_AGAIN_MS = 2_000;

const isBusy = ({ status }: VideoModel) => status === 'checking' || status === 'converting';

/**
 * Sends a video part by part and follows its processing; the same file chosen again goes on.
 * @param onReady gets a video as soon as lessons can name it
 */
export function useVideoUpload(courseId: number | null, onReady: (video: VideoModel) => void) {
  const [converts, setConverts] = useState(false);
  const [videos, setVideos] = useState<VideoModel[]>([]);
  const [problem, setProblem] = useState('');
  const follows = useRef(new Set<string>());
  const ready = useLatest(onReady);

  const put = (video: VideoModel) => setVideos((now) => [video, ...now.filter(({ id }) => id !== video.id)]);

  useEffect(() => {
    if (courseId === null) return;
    const abort = new AbortController();
    call(listVideosCall, { params: { id: courseId }, signal: abort.signal }).then(
      (answer) => {
        setConverts(answer.converts);
        setVideos(answer.videos.filter(({ status }) => status !== 'failed'));
      },
      (error: unknown) => {
        if (!abort.signal.aborted)
          setProblem(messageOf(error, 'The videos of this course could not be loaded.'));
      },
    );
    return () => abort.abort();
  }, [courseId]);

  const busy = videos.filter(isBusy).map(({ id }) => id);
  const asked = busy.join();
  useEffect(() => {
    if (!asked) return;
    const timer = setInterval(async () => {
      for (const id of asked.split(',')) {
        const video = await call(getVideoCall, { params: { id } }).catch(() => null);
        if (!video) continue;
        setVideos((now) => now.map((one) => (one.id === id ? video : one)));
        if (video.path && follows.current.delete(id)) ready.current(video);
      }
    }, ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [asked]);

  const upload = useUpload(
    {
      endpoint: VIDEO_UPLOADS_PATH,
      // Without the course, one file for two courses would be one upload.
      key: `video-${courseId}`,
      metadata: { courseId: String(courseId) },
      goOn: 'choose the same file to go on',
    },
    {
      onProblem: (sentence, id) => {
        setProblem(sentence);
        void refresh(id);
      },
      onArrived: (id) => void refresh(id, true),
    },
  );

  const start = async (file: File) => {
    const refused = videoProblem(file.name, file.size, converts);
    setProblem(refused ?? '');
    if (refused || courseId === null) return;
    await upload.start(file);
  };

  const refresh = async (id: string | null, follow = false) => {
    if (!id) return;
    try {
      const video = await call(getVideoCall, { params: { id } });
      put(video);
      if (!follow) return;
      if (video.path) ready.current(video);
      else follows.current.add(id);
    } catch (error) {
      if (follow) setProblem(messageOf(error, 'The video could not be looked up. Please reload the page.'));
    }
  };

  const pause = async () => refresh(await upload.pause());

  const discard = async (id: string) => {
    try {
      await discardUpload(VIDEO_UPLOADS_PATH, id);
      setVideos((now) => now.filter((video) => video.id !== id));
    } catch {
      setProblem('The upload could not be removed. Please try again.');
    }
  };

  const sent = upload.sent?.isPaused ? null : upload.sent;
  return { converts, videos, sent, problem, start, pause, discard };
}
