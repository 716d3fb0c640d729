import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { Dialog } from '#src/components/Dialog.tsx';

export function RecoveryCodes({ codes, onClose }: { codes: string[] | null; onClose: () => void }) {
  const [said, setSaid] = useState('');
  const text = codes?.join('\n') ?? '';
  return (
    <Dialog
      size="md"
      title="Keep your recovery codes"
      description="They are shown only now. Each signs you in once if you lose your other factors. Print them, or keep them in a password manager."
      open={codes !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      footer={<Button onClick={onClose}>I have kept them</Button>}
    >
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-8 gap-y-1.5 rounded-md bg-sunken px-4 py-3 font-mono text-[0.8125rem] break-all"
      >
        {codes?.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          size="sm"
          className="max-sm:min-h-11"
          onClick={() =>
            navigator.clipboard.writeText(text).then(
              () => setSaid('Copied.'),
              () => setSaid('Your browser did not let us copy them. Please select them.'),
            )
          }
        >
          <Copy aria-hidden="true" /> Copy
        </Button>
        <Button
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
          variant="secondary"
          size="sm"
          className="max-sm:min-h-11"
        >
          <Download aria-hidden="true" /> Save as a file
        </Button>
        <p role="status" className="text-sm text-ink-soft">
          {said}
        </p>
      </div>
    </Dialog>
  );
}
