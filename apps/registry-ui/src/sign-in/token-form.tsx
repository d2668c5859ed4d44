import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { askBody, isTokenShaped } from '../api/request.js';
import { featuresQuery } from '../api/client-queries.js';
import { queryClient } from '../api/query-client.js';
import type { Features } from '../api/client-documents.js';
import { signIn } from '../api/session.js';
import { text } from '../texts/text.js';

/** Takes an API token and tries it out before it counts. */
export function TokenForm() {
  const [token, setToken] = useState('');
  const attempt = useMutation({ mutationFn: tryToken, onSuccess: () => signIn(token.trim()) });
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
          error={attempt.error && reasonOf(attempt.error)}
          visibilityToggleButtonProps={{ 'aria-label': text('signIn.token.show') }}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          autoFocus
          required
          withAsterisk={false}
          classNames={{ innerInput: 'mono' }}
        />
        <Button type="submit" loading={attempt.isPending} fullWidth>
          {text('signIn.do')}
        </Button>
      </Stack>
    </form>
  );
}

/** What the token opens first is what every screen needs. */
async function tryToken(token: string): Promise<void> {
  if (token === '') throw new Error(text('signIn.empty'));
  if (!isTokenShaped(token)) throw new Error(text('signIn.malformed'));
  const features = await askBody<Features>({ path: '/client/features', token });
  queryClient.setQueryData(featuresQuery.queryKey, features);
}

function reasonOf(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 401) return text('signIn.refused');
  return error.status === 403 ? text('signIn.unreading') : error.message;
}
