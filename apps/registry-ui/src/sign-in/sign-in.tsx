import { Button, Divider, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useMutation } from '@tanstack/react-query';
import { signOut } from '../api/session.js';
import { type IssuerSignIn, settings } from '../api/settings.js';
import { Brand } from '../elements/brand.js';
import { useFocusReturn } from '../elements/dialog.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/sign-in.js';
import { redirectToIssuer, signInWithPopup } from './issuer/sign-in-at-issuer.js';
import classes from './sign-in.module.css';
import { TokenForm } from './token-form.js';

/** The sign-in page. It is shown at any URL, which opens afterwards. */
export function SignIn() {
  useEffect(() => {
    document.title = text('app.screen', { title: text('signIn.title') });
  }, []);
  return (
    <main className={classes.page}>
      <Stack gap="lg" w="100%" maw={400}>
        <Brand />
        <Paper withBorder radius="lg" p="lg">
          <Stack gap="md">
            <Title order={1}>{text('signIn.title')}</Title>
            <IssuerButton onChoose={redirectToIssuer} />
            <TokenForm primary={settings.oidc === undefined} />
          </Stack>
        </Paper>
        <Text size="sm" c="dimmed">
          {text('signIn.bootstrap')}
        </Text>
      </Stack>
    </main>
  );
}

/** Above everything else: the screen below keeps its input until the user signs in again. */
const TOP_LEVEL = 1000;

/** Asks the user to sign in again when the server no longer accepts the token. */
export function SessionEnded() {
  useFocusReturn(true);
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={text('sessionEnded.title')}
      zIndex={TOP_LEVEL}
    >
      <Stack gap="md">
        <Text>{text('sessionEnded.lead')}</Text>
        <IssuerButton onChoose={signInWithPopup} />
        <TokenForm primary={settings.oidc === undefined} />
        <Button variant="subtle" color="gray" onClick={signOut}>
          {text('sessionEnded.leave')}
        </Button>
      </Stack>
    </Modal>
  );
}

interface IssuerButtonProps {
  readonly onChoose: (oidc: IssuerSignIn) => Promise<void>;
}

/** Sign-in at the issuer, above the token form; hidden if no issuer is configured. */
function IssuerButton({ onChoose }: IssuerButtonProps) {
  const attempt = useMutation({ mutationFn: onChoose });
  const { oidc } = settings;
  if (!oidc) return null;
  return (
    <Stack gap="md">
      <Button fullWidth loading={attempt.isPending} onClick={() => attempt.mutate(oidc)}>
        {text('issuer.do', { host: new URL(oidc.issuer).host })}
      </Button>
      {attempt.error && (
        <Notice kind="bad" role="alert" title={text('issuer.failed')}>
          <p>{attempt.error.message}</p>
        </Notice>
      )}
      <Divider label={text('issuer.or')} />
    </Stack>
  );
}
