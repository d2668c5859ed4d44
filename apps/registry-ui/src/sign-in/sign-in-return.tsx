import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { IssuerSignIn } from '../api/settings.js';
import { Notice } from '../elements/notice.js';
import { Brand } from '../elements/brand.js';
import { text } from '../texts/sign-in.js';
import classes from './sign-in.module.css';
import { completeSignIn } from './issuer/sign-in-at-issuer.js';

/** The page the issuer redirects to: it continues automatically unless something went wrong. */
export function SignInReturn({ oidc }: { readonly oidc: IssuerSignIn }) {
  const { handedOver, failure } = useSignInReturn(oidc);
  return (
    <main className={classes.page}>
      <Stack gap="lg" w="100%" maw={400}>
        <Brand />
        <Paper withBorder radius="lg" p="lg">
          <Stack gap="md">
            <Title order={1}>{text('signIn.title')}</Title>
            {failure === undefined ? (
              <Text role="status">{text(handedOver ? 'issuer.handed_over' : 'issuer.returning')}</Text>
            ) : (
              <>
                <Notice kind="bad" role="alert" title={text('issuer.failed')}>
                  <p>{failure}</p>
                </Notice>
                <Anchor href="/ui/">{text('issuer.again')}</Anchor>
              </>
            )}
          </Stack>
        </Paper>
      </Stack>
    </main>
  );
}

interface ReturnState {
  /** Another window continues the sign-in. */
  readonly handedOver?: boolean;
  /** A message for the user. */
  readonly failure?: string;
}

/** A code can be redeemed only once, so rerenders share one attempt. */
let attempt: Promise<string | undefined> | undefined;

function useSignInReturn(oidc: IssuerSignIn): ReturnState {
  const [state, setState] = useState<ReturnState>({});
  useEffect(() => {
    document.title = text('app.screen', { title: text('signIn.title') });
    attempt ??= completeSignIn(location.search, oidc);
    attempt.then(
      (path) => {
        if (path === undefined) setState({ handedOver: true });
        else location.replace(path);
      },
      (error: unknown) => setState({ failure: error instanceof Error ? error.message : String(error) }),
    );
  }, [oidc]);
  return state;
}
