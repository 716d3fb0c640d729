import { type ComponentType, lazy, Suspense } from 'react';
import { toast } from './toast.store.ts';

/**
 * Loads a part of an island on first use; a failure shows there, where React would remove the island. Not for server rendering.
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
