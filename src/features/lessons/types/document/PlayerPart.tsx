import { Download, ExternalLink, FileText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { sizeInKb } from '#src/features/lessons/addresses.ts';
import type { PlayerPartProps } from '#src/features/lessons/player-part.ts';

export interface DocumentSource {
  src: string;
  name: string;
  size: number | null;
  isPdf: boolean;
}

/** A document to download, with its size (spec 9). */
export function DocumentPanel({ own: file, title }: PlayerPartProps<DocumentSource>) {
  // Null until the browser was asked; its place is kept, so that nothing moves when it answers.
  const [canShow, setCanShow] = useState<boolean | null>(null);
  useEffect(() => setCanShow(navigator.pdfViewerEnabled), []);
  const own = file.src.startsWith('/');
  const size = file.size === null ? '' : ` (${sizeInKb(file.size)})`;

  return (
    <div className="mt-8">
      <div className="flex flex-wrap items-center gap-4 card p-4 sm:p-5">
        <span className="grid size-12 shrink-0 place-items-center rounded-md bg-sunken text-ink-soft">
          <FileText aria-hidden="true" className="size-6" />
        </span>
        <p className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{file.name}</span>
          {file.size !== null && (
            <span className="block text-sm text-ink-soft tabular-nums">{sizeInKb(file.size)}</span>
          )}
        </p>
        <div className="flex flex-wrap gap-3 max-sm:w-full">
          {file.isPdf && (
            <Button href={file.src} target="_blank" rel="noopener" variant="ghost" className="max-sm:flex-1">
              <ExternalLink aria-hidden="true" />
              Open
            </Button>
          )}
          <Button
            href={own ? `${file.src}?download` : file.src}
            download={file.name}
            variant="secondary"
            className="whitespace-nowrap max-sm:flex-1"
          >
            <Download aria-hidden="true" />
            Download{size}
          </Button>
        </div>
      </div>
      {file.isPdf && canShow !== false && (
        <div className="mt-4 hidden h-[min(75vh,60rem)] overflow-hidden rounded-lg border border-line bg-sunken lg:block">
          {canShow && <iframe src={`${file.src}#view=FitH&navpanes=0`} title={title} className="size-full" />}
        </div>
      )}
    </div>
  );
}
