import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FeatureTemplate, Features } from '../api/client-documents.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { ClientForm } from '../form/client-form.js';
import { useClientForm } from '../form/use-client-form.js';
import { text } from '../texts/text.js';
import { type RegisteredClient, useRegistration } from './registration.js';
import { startOf } from './template-start.js';

interface RegistrationFormProps {
  readonly features: Features;
  readonly template: FeatureTemplate | undefined;
  readonly onRegistered: (registered: RegisteredClient) => void;
}

export function RegistrationForm({ features, template, onRegistered }: RegistrationFormProps) {
  const [{ values, examples }] = useState(() => startOf(template, features.fields));
  const form = useClientForm({ features, start: values });
  const navigate = useNavigate();
  const registration = useRegistration(onRegistered, form.refuse);
  return (
    <>
      <ClientForm
        form={form}
        examples={examples}
        submitLabel={text('register.do')}
        submitting={registration.isPending}
        onSubmit={() => registration.mutate(form.body)}
        cancel={
          <Button variant="subtle" color="gray" onClick={() => void navigate({ to: '/register' })}>
            {text('register.other')}
          </Button>
        }
      />
      <LeaveGuard guards={form.dirty && !registration.isSuccess} title="leave.title" what="leave.form" />
    </>
  );
}
