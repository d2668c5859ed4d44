import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { isTokenShaped } from '../api/request.js';
import { signIn } from '../api/session.js';
import { text } from '../texts/sign-in.js';
import { verifyToken } from '../api/verify-token.js';

interface TokenFormProps {
  /** Whether this is the main way to sign in. */
  readonly primary: boolean;
}

/** Accepts an API token once it is verified. */
export function TokenForm({ primary }: TokenFormProps) {
  const [token, setToken] = useState('');
  const attempt = useMutation({ mutationFn: enter, onSuccess: () => signIn(token.trim()) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    attempt.mutate(token.trim());
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <PasswordInput
          label={text('signIn.token')}
          description={text('signIn.token.help')}
          value={token}
          onChange={(event) => {
            setToken(event.currentTarget.value);
            attempt.reset();
          }}
          error={attempt.error?.message}
          visibilityToggleButtonProps={{ 'aria-label': text('signIn.token.show') }}
          autoComplete="off"
          spellCheck={false}
          data-autofocus={primary}
          autoFocus={primary}
          required
          withAsterisk={false}
          classNames={{ innerInput: 'mono' }}
        />
        <Button type="submit" variant={primary ? 'filled' : 'default'} loading={attempt.isPending} fullWidth>
          {text(primary ? 'signIn.do' : 'signIn.withToken')}
        </Button>
      </Stack>
    </form>
  );
}

async function enter(token: string): Promise<void> {
  if (token === '') throw new Error(text('signIn.empty'));
  if (!isTokenShaped(token)) throw new Error(text('signIn.malformed'));
  await verifyToken(token);
}
