import { messageOf } from '#src/shared/api.ts';
import { toast, type ToastMessage } from '#src/components/toast.store.ts';

/** Shows why a call failed: the server's message, or `otherwise` where it gave none. */
export function toastFailure(error: unknown, otherwise: string, more: Partial<ToastMessage> = {}): void {
  toast({ title: 'Error', description: messageOf(error, otherwise), variant: 'destructive', ...more });
}
