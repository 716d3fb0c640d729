import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorClass } from '#src/components/field.ts';

/** For groups, such as lists; looks like a `Field`'s. */
export function FieldProblem({ children }: { children: ReactNode }) {
  return (
    <p className={`${errorClass} mt-1.5`}>
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
