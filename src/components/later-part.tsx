import { type ComponentType, lazy, Suspense } from 'react';
import { toast } from './toast.store.ts';

/**
 * A part of an island that is loaded when it is first shown. Where it does not come, that is said, and the rest of the
 * island stays as it is: React alone would take all of it away. Only for what comes after a press, as the server's way of
 * waiting is a script in the page.
 *
 * @param load gives the component
 */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part = lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      toast({
        title: 'This part of the page could not be loaded',
        description: 'Check your connection and reload the page. What you wrote is kept.',
        variant: 'destructive',
      });
      return { default: () => null };
    }
  });
  return (props: Props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}
