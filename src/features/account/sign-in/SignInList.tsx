import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#src/components/Badge.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast, toastOnNextPage } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { deviceLabel } from './device.ts';
import { endOtherSessions, endOwnSession } from '#src/features/account/schema.ts';

export interface ListedSignIn {
  id: string;
  signedIn: string;
  userAgent: string | null;
  isThis: boolean;
}

export function SignInList({ signIns }: { signIns: ListedSignIn[] }) {
  const [working, setWorking] = useState<string | null>(null);
  const end = async (which: string, act: () => Promise<{ message: string }>) => {
    setWorking(which);
    try {
      toastOnNextPage({ title: (await act()).message });
      location.reload();
    } catch (error) {
      const description = messageOf(error, 'That did not work. Please try again.');
      toast({ title: 'Error', description, variant: 'destructive' });
      setWorking(null);
    }
  };
  const others = signIns.filter(({ isThis }) => !isThis);
  return (
    <div>
      <ul aria-label="Devices" className="divide-y divide-line rounded-md border border-line">
        {signIns.map(({ id, signedIn, userAgent, isThis }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <MonitorSmartphone aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
            <div className="min-w-0 flex-1 basis-48">
              <p className="flex flex-wrap items-center gap-2 font-semibold">
                {deviceLabel(userAgent)}
                {isThis && <Badge tone="success">This device</Badge>}
              </p>
              <p className="text-sm text-ink-soft tabular-nums">Signed in {signedIn}</p>
            </div>
            {!isThis && (
              <Button
                variant="secondary"
                size="sm"
                className="max-sm:min-h-11"
                aria-label={`Sign out ${deviceLabel(userAgent)}, signed in ${signedIn}`}
                loading={working === id}
                disabled={working !== null}
                onClick={() => void end(id, () => call(endOwnSession, { params: { id } }))}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Button
          variant="secondary"
          className="mt-4"
          loading={working === 'others'}
          disabled={working !== null}
          onClick={() => void end('others', () => call(endOtherSessions, {}))}
        >
          Sign out all other devices
        </Button>
      )}
    </div>
  );
}
