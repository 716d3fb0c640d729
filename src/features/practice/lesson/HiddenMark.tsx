import { EyeOff } from 'lucide-react';

export const HiddenMark = () => (
  <span className="mt-0.5 inline-flex shrink-0 items-center gap-1 text-xs text-ink-soft">
    <EyeOff aria-hidden="true" className="size-3.5" />
    Hidden
  </span>
);
