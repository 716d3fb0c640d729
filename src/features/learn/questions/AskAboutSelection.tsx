import { MessageCircleQuestionMark } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#src/components/Button.tsx';

/** Asks about the selection's first line. */
export function AskAboutSelection({ within, onAsk }: { within: string; onAsk: (quote: string) => void }) {
  const [quote, setQuote] = useState('');
  useEffect(() => {
    const look = () => {
      const selection = document.getSelection();
      const isInside = document.getElementById(within)?.contains(selection?.anchorNode ?? null);
      const lines = isInside ? String(selection).split('\n') : [];
      setQuote(lines.map((line) => line.trim()).find((line) => line !== '') ?? '');
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, [within]);
  if (!quote) return null;
  return (
    // The button has a position of its own; above the field of a scenario.
    <div className="fixed right-gutter bottom-40 z-20">
      <Button
        size="sm"
        className="shadow-lg max-sm:min-h-11"
        // Pressing must not clear the selection.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          setQuote('');
          onAsk(quote);
        }}
      >
        <MessageCircleQuestionMark aria-hidden="true" />
        Ask about this line
      </Button>
    </div>
  );
}
