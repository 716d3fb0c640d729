import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';

/** Copies the link under which friends can buy the course, account or not (spec 2). */
export function ShareButton({ courseId }: { courseId: number }) {
  const [copying, setCopying] = useState(false);

  async function share() {
    const link = `${location.origin}/buy/${courseId}`;
    setCopying(true);
    try {
      await navigator.clipboard.writeText(link);
      toast({
        title: 'Link copied',
        description: 'Friends can buy this course with it without registering.',
      });
    } catch {
      toast({ title: 'Copy Failed', description: `Copy the link yourself: ${link}`, variant: 'destructive' });
    } finally {
      setCopying(false);
    }
  }

  return (
    <Button variant="ghost" block loading={copying} onClick={share}>
      <Share2 aria-hidden="true" />
      Share &amp; Refer
    </Button>
  );
}
