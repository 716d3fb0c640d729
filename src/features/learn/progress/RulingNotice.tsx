import { Alert } from '#src/components/Alert.tsx';
import type { Ruling } from './learn.ts';

/** Decision 129. */
export function RulingNotice({ ruling, className }: { ruling: Ruling; className: string }) {
  const { excused, regrade, extraAttempts } = ruling;
  return (
    <>
      {excused !== null && (
        <Alert title="You are excused from this lesson" className={className}>
          The course is completed without it. The reason: {excused}
        </Alert>
      )}
      {regrade && (
        <Alert title={`Your grade was changed to ${regrade.grade} of 100`} className={className}>
          The reason: {regrade.reason}
        </Alert>
      )}
      {extraAttempts > 0 && (
        <Alert title="You were given another attempt" className={className}>
          It is for you alone, beyond what the lesson gives everybody.
        </Alert>
      )}
    </>
  );
}
