import { useState } from 'react';
import { Alert } from '#src/components/Alert.tsx';
import { Button } from '#src/components/Button.tsx';
import { toast } from '#src/components/toast.store.ts';
import { call, messageOf } from '#src/shared/api.ts';
import { resendVerification } from '#src/features/account/schema.ts';

export function ResendVerification() {
  const [sending, setSending] = useState(false);
  const [answer, setAnswer] = useState('');

  const send = async () => {
    setSending(true);
    try {
      setAnswer((await call(resendVerification, {})).message);
    } catch (error) {
      const description = messageOf(error, 'The link could not be sent. Please try again.');
      toast({ title: 'Error', description, variant: 'destructive' });
    } finally {
      setSending(false);
    }
  };

  if (answer) {
    return (
      <Alert tone="success" live>
        {answer}
      </Alert>
    );
  }
  return (
    <Button size="lg" block loading={sending} onClick={() => void send()}>
      Send a new link
    </Button>
  );
}
