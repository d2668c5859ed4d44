import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { featuresQuery } from '../api/client-queries.js';
import { BackToClients } from '../navigation/back-to-clients.js';
import { Failure } from '../elements/failure.js';
import { ScopeNotice } from '../elements/scope-notice.js';
import { Screen } from '../elements/screen.js';
import { useOpenedAnew } from '../navigation/use-opened-anew.js';
import { text } from '../texts/text.js';
import type { RegisteredClient } from './register-client.js';
import { Registered } from './registered.js';
import { RegistrationForm } from './registration-form.js';
import { TemplateChoice } from './template-choice.js';

const route = getRouteApi('/register');

/** Registers a Client: choose what kind it is, fill in the form, keep the secret. */
export function RegisterScreen() {
  const { template } = route.useSearch();
  const [registered, setRegistered] = useState<RegisteredClient>();
  const { data: features, error, refetch } = useQuery(featuresQuery);
  useOpenedAnew(() => setRegistered(undefined));
  if (registered) return <Registered registered={registered} />;
  return (
    <Screen
      title={text('register.title')}
      lead={text(template === undefined ? 'register.choose' : 'register.lead')}
      above={<BackToClients />}
    >
      <ScopeNotice scope="clients:write" />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!features && !error && <Skeleton height={320} radius="lg" />}
      {features && template === undefined && <TemplateChoice templates={features.templates} />}
      {features && template !== undefined && (
        <RegistrationForm
          key={template}
          features={features}
          template={features.templates.find(({ id }) => id === template)}
          onRegistered={setRegistered}
        />
      )}
    </Screen>
  );
}
