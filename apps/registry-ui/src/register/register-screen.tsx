import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { FeatureTemplate } from '../api/client-documents.js';
import { featuresQuery } from '../api/client-queries.js';
import { Failure } from '../elements/failure.js';
import { loadCode } from '../elements/load-code.js';
import { ScopeNotice } from '../elements/scopes.js';
import { Screen } from '../elements/screen.js';
import { BackToClients } from '../navigation/back-links.js';
import { useReopened } from '../navigation/use-reopened.js';
import { text } from '../texts/register.js';
import type { RegisteredClient } from './registration.js';
import classes from './register.module.css';
import { RegistrationForm } from './registration-form.js';
import { RegistrationSteps } from './registration-steps.js';

const route = getRouteApi('/register');

const loadResult = async () => loadCode(async () => import('./registration-result.js'));

const RegistrationResult = lazy(async () => ({ default: (await loadResult()).RegistrationResult }));

/** Registers a client in three steps: its type, its name and addresses, and how its application connects. */
export function RegisterScreen() {
  const { template } = route.useSearch();
  const [registered, setRegistered] = useState<RegisteredClient>();
  const { data: features, error, refetch } = useQuery(featuresQuery);
  useReopened(() => setRegistered(undefined));
  if (registered) {
    return (
      <Suspense>
        <RegistrationResult registered={registered} />
      </Suspense>
    );
  }
  return (
    <Screen
      title={text('register.title')}
      lead={text(template === undefined ? 'register.choose' : 'register.lead')}
      above={<BackToClients />}
    >
      <RegistrationSteps current={template === undefined ? 1 : 2} />
      <ScopeNotice scope="clients:write" />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!features && !error && <Skeleton height={320} radius="lg" />}
      {features && template === undefined && <TemplateChoice templates={features.templates} />}
      {features && template !== undefined && (
        <RegistrationForm
          key={template}
          features={features}
          template={features.templates.find(({ id }) => id === template)}
          prepare={loadResult}
          onRegistered={setRegistered}
        />
      )}
    </Screen>
  );
}

function TemplateChoice({ templates }: { readonly templates: readonly FeatureTemplate[] }) {
  const blank = { id: 'blank', label: text('register.blank'), description: text('register.blank.what') };
  return (
    <ul className={classes.templates}>
      {[...templates, blank].map(({ id, label, description }) => (
        <li key={id}>
          <Link to="/register" search={{ template: id }} className={classes.template}>
            <strong>{label}</strong>
            <span>{description}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
