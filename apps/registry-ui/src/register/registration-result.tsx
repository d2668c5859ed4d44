import { Button, Group, Stack, Title } from '@mantine/core';
import { usesSecret } from '@svc/client-metadata';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { CopyButton } from '../elements/copy-button.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { Notice } from '../elements/notice.js';
import { Screen } from '../elements/screen.js';
import { SecretReveal } from '../elements/secret-reveal.js';
import { QuickstartTabs } from '../quickstarts/quickstart-tabs.js';
import { RotateSecret } from '../secrets/rotate-secret.js';
import { text } from '../texts/register.js';
import type { RegisteredClient } from './registration.js';
import classes from './register.module.css';
import { RegistrationSteps } from './registration-steps.js';

/** The new client, its secret, which is shown only once, and the code that connects its application. */
export function RegistrationResult({ registered }: { readonly registered: RegisteredClient }) {
  const { client_id, client_secret, client_name, token_endpoint_auth_method: method } = registered;
  const isUnused = !usesSecret(method);
  const [kept, setKept] = useState(isUnused || client_secret === undefined);
  // It takes the place of a form that may be scrolled.
  useEffect(() => {
    window.scrollTo({ top: 0 });
  }, []);
  return (
    <Screen
      title={text('registered.title', { name: client_name })}
      lead={text(kept ? 'registered.connect' : 'registered.lead')}
    >
      <RegistrationSteps current={3} />
      <Stack gap="lg" className={classes.form}>
        <dl className={classes.facts}>
          <dt>{text('clients.column.id')}</dt>
          <dd>
            <code className="foreign">{client_id}</code>
            <CopyButton value={client_id} what={text('clients.column.id')} />
          </dd>
        </dl>
        {!isUnused &&
          (client_secret === undefined ? (
            <LostSecret client={registered} />
          ) : (
            <NewSecret secret={client_secret} kept={kept} onKept={() => setKept(true)} />
          ))}
        <section aria-labelledby="quickstarts">
          <Title order={2} id="quickstarts" mb="sm">
            {text('quickstart.title')}
          </Title>
          <QuickstartTabs client={registered} />
        </section>
        <NextSteps clientId={client_id} kept={kept} />
      </Stack>
      <LeaveGuard guards={!kept} title={text('leave.secret.title')} what={text('leave.secret')} />
    </Screen>
  );
}

/** What to do next; copying the secret comes first. */
function NextSteps({ clientId, kept }: { readonly clientId: string; readonly kept: boolean }) {
  return (
    <Group gap="sm">
      <Button
        variant={kept ? 'filled' : 'default'}
        renderRoot={(props) => <Link to="/clients/$clientId" params={{ clientId }} {...props} />}
      >
        {text('registered.open')}
      </Button>
      <Button variant="default" renderRoot={(props) => <Link to="/register" {...props} />}>
        {text('registered.another')}
      </Button>
    </Group>
  );
}

interface NewSecretProps {
  readonly secret: string;
  readonly kept: boolean;
  readonly onKept: () => void;
}

function NewSecret({ secret, kept, onKept }: NewSecretProps) {
  return (
    <>
      <SecretReveal
        name={text('secret.name')}
        value={secret}
        copyLabel={text('secret.copy')}
        kept={kept}
        onKept={onKept}
      />
      <Notice kind="warn" title={text('secret.once')} />
    </>
  );
}

/** Shown when the response with the secret was lost: it cannot be shown again, but rotated. */
function LostSecret({ client }: { readonly client: ClientDocument }) {
  const [rotating, setRotating] = useState(false);
  return (
    <>
      <Notice kind="warn" role="status" title={text('registered.missed')}>
        <p>{text('registered.missed.how')}</p>
        <Button size="xs" variant="default" mt="sm" onClick={() => setRotating(true)}>
          {text('secret.rotate')}
        </Button>
      </Notice>
      <RotateSecret client={client} opened={rotating} onClose={() => setRotating(false)} />
    </>
  );
}
