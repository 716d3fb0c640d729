import { toast } from '#src/components/toast.store.ts';

// Spec 2.
const button = document.querySelector<HTMLButtonElement>('[data-share]');
button?.addEventListener('click', async () => {
  const link = `${location.origin}/buy/${button.dataset.share}`;
  try {
    await navigator.clipboard.writeText(link);
    toast({
      title: 'Link copied',
      description: 'Friends can buy this course with it without registering.',
    });
  } catch {
    toast({ title: 'Copy Failed', description: `Copy the link yourself: ${link}`, variant: 'destructive' });
  }
});
button?.removeAttribute('ssr');
