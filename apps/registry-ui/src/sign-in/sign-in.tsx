import { Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { settings } from '../api/settings.js';
import { Brand } from '../elements/brand.js';
import { text } from '../texts/text.js';
import { IssuerButton } from './issuer-button.js';
import { leaveForIssuer } from './issuer/sign-in-at-issuer.js';
import classes from './sign-in.module.css';
import { TokenForm } from './token-form.js';

/** The page for those who are not signed in. It stands in for any address, which is opened afterwards. */
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
            <IssuerButton onChoose={leaveForIssuer} />
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
