import { useEffect, useRef, useState } from 'react';
import { useSeen } from './editor/use-seen.ts';
import type { Preview, PreviewContent } from './preview.ts';
import type { CodingLanguage } from '#src/features/lessons/types/coding/languages.ts';

interface Props {
  language: CodingLanguage;
  code: string;
  fixture: string;
  element: string | null;
  title: string;
}

const REST_MS = 400;

interface Frame {
  version: number;
  content: PreviewContent;
  shown: boolean;
}

type FrameMessage = { ready?: true; shown?: true; error?: string };

export function LivePreview({ language, code, fixture, element, title }: Props) {
  const [frames, setFrames] = useState<Frame[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const elements = useRef(new Map<number, HTMLIFrameElement>());
  const version = useRef(0);
  const box = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(box);

  useEffect(() => {
    if (!isSeen) return;
    let outdated = false;
    const timer = setTimeout(
      async () => {
        const { preparePreview } = await import('./preview.ts');
        const preview: Preview = await preparePreview({ language, code, fixture, element });
        if (outdated) return;
        if (preview.kind === 'unreadable') {
          setProblem(preview.message);
          return;
        }
        version.current += 1;
        const next: Frame = { version: version.current, content: preview, shown: false };
        setProblem(null);
        setFrames((before) => [...before.filter(({ shown }) => shown).slice(-1), next]);
      },
      version.current === 0 ? 0 : REST_MS,
    );
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [language, code, fixture, element, isSeen]);

  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      const sender = [...elements.current].find(([, frame]) => frame.contentWindow === event.source);
      const message = (event.data as { preview?: FrameMessage } | null)?.preview;
      if (!sender || !message) return;
      const [from, frame] = sender;
      if (message.ready) {
        const content = frames.find(({ version: own }) => own === from)?.content;
        // The frame has an origin that cannot be named; what it is sent is the learner's own program.
        if (content) frame.contentWindow?.postMessage(content, '*');
      }
      if (message.shown) {
        setFrames((before) =>
          before
            .filter(({ version: own }) => own >= from)
            .map((one) => (one.version === from ? { ...one, shown: true } : one)),
        );
      }
      if (typeof message.error === 'string' && from === version.current) setProblem(message.error);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [frames]);

  return (
    <div ref={box} className="flex h-full min-h-56 flex-col">
      <div className="relative min-h-0 flex-1 bg-white">
        {frames.map((frame) => (
          <iframe
            key={frame.version}
            ref={(node) => {
              if (node) elements.current.set(frame.version, node);
              else elements.current.delete(frame.version);
            }}
            title={`Preview of ${title}`}
            src="/lesson-preview/frame"
            sandbox="allow-scripts"
            aria-hidden={!frame.shown || undefined}
            tabIndex={frame.shown ? undefined : -1}
            className={`absolute inset-0 size-full border-0 ${frame.shown ? '' : 'invisible'}`}
          />
        ))}
      </div>
      <p
        aria-live="polite"
        className="border-t border-line bg-warning-soft px-4 py-2 text-sm text-warning empty:hidden"
      >
        {problem && `The preview cannot show this: ${problem}`}
      </p>
    </div>
  );
}
