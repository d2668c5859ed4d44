import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FeatureTemplate, Features } from '../api/client-documents.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { AdvancedSettings } from '../form/advanced-settings.js';
import { ClientForm } from '../form/client-form.js';
import { FormFields } from '../form/form-fields.js';
import { useClientForm } from '../form/use-client-form.js';
import { valueLabel } from '../metadata/value-labels.js';
import { text } from '../texts/register.js';
import classes from './register.module.css';
import { type RegisteredClient, useRegistration } from './registration.js';
import { firstFields, startOf } from './template-start.js';

interface RegistrationFormProps {
  readonly features: Features;
  readonly template: FeatureTemplate | undefined;
  /** Loads what shows the secret, before there is one to lose. */
  readonly prepare: () => Promise<unknown>;
  readonly onRegistered: (registered: RegisteredClient) => void;
}

/** Asks for what no template knows; everything else folds under the advanced settings. */
export function RegistrationForm({ features, template, prepare, onRegistered }: RegistrationFormProps) {
  const [{ values, examples }] = useState(() => startOf(template, features.fields));
  const form = useClientForm({ features, start: values });
  const navigate = useNavigate();
  const registration = useRegistration({ prepare, onRegistered, onError: form.refuse });
  const { first, others } = firstFields(form.fields, examples);
  return (
    <>
      <ClientForm
        form={form}
        submitLabel={text('register.do')}
        submitting={registration.isPending}
        onSubmit={() => registration.mutate(form.body)}
        cancel={
          <Button variant="subtle" color="gray" onClick={() => void navigate({ to: '/register' })}>
            {text('register.other')}
          </Button>
        }
      >
        <div className={classes.form}>
          <ChosenTemplate template={template} />
          <FormFields form={form} fields={first} examples={examples} />
          <AdvancedSettings
            form={form}
            fields={others}
            examples={examples}
            opened={template === undefined}
            summary={summaryOf(form.body)}
          />
        </div>
      </ClientForm>
      <LeaveGuard
        guards={form.dirty && !registration.isSuccess}
        title={text('leave.title')}
        what={text('leave.form')}
      />
    </>
  );
}

function ChosenTemplate({ template }: { readonly template: FeatureTemplate | undefined }) {
  return (
    <div className={classes.chosen}>
      <div>
        <strong>{template?.label ?? text('register.blank')}</strong>
        <p className="hint">{template?.description ?? text('register.blank.what')}</p>
      </div>
      <Link to="/register" aria-label={text('register.change.name')}>
        {text('register.change')}
      </Link>
    </div>
  );
}

/** Fields shown in the summary of advanced settings. */
const SUMMARY_FIELDS = [
  'token_endpoint_auth_method',
  'code_challenge_method',
  'redirect_uri_validation_method',
];

function summaryOf(body: Readonly<Record<string, unknown>>): string {
  return SUMMARY_FIELDS.flatMap((name) => {
    const value = body[name];
    return typeof value === 'string' ? [valueLabel(name, value).replace(/ \(.*\)$/, '')] : [];
  }).join(' · ');
}
