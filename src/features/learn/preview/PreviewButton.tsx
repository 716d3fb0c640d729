import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { startPreviewCall } from './schema.ts';

export function PreviewButton({
  courseId,
  lessonId,
  size = 'sm',
}: {
  courseId: number;
  lessonId?: number;
  size?: 'sm' | 'md';
}) {
  const [working, setWorking] = useState(false);
  const start = async () => {
    setWorking(true);
    try {
      const { href } = await call(startPreviewCall, { params: { id: courseId }, input: { lessonId } });
      location.assign(href);
    } catch (error) {
      setWorking(false);
      toast({
        title: 'Error',
        description: messageOf(error, 'The preview could not be opened. Please try again.'),
        variant: 'destructive',
      });
    }
  };
  return (
    <Button variant="secondary" size={size} loading={working} onClick={() => void start()}>
      <Eye aria-hidden="true" /> Preview as learner
    </Button>
  );
}
