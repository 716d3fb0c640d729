import { useEffect, useState } from 'react';
import { useLatest } from '#src/components/use-latest.ts';
import { counted } from '#src/shared/counted.ts';

/** How long the next attempt has to wait. */
export function QuizWait({ until, onOver }: { until: string; onOver: () => void }) {
  const [minutes, setMinutes] = useState<number | null>(null);
  const latest = useLatest(onOver);
  useEffect(() => {
    const look = () => {
      const left = Math.ceil((Date.parse(until) - Date.now()) / 60_000);
      setMinutes(Math.max(1, left));
      if (left <= 0) latest.current();
    };
    look();
    const timer = setInterval(look, 10_000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <p className="text-sm font-semibold">
      {/* Only the browser's clock knows; until it runs, the sentence stands without a number. */}
      {minutes === null ? 'The next attempt has to wait.' : `Next attempt in ${waitText(minutes)}.`}
    </p>
  );
}

function waitText(minutes: number): string {
  if (minutes <= 90) return counted(minutes, 'minute');
  const hours = Math.ceil(minutes / 60);
  return hours <= 48 ? counted(hours, 'hour') : counted(Math.ceil(hours / 24), 'day');
}
