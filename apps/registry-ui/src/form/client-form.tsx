import { Button, Stack } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { sectionsOf } from '../metadata/sections.js';
import { text } from '../texts/text.js';
import classes from './form.module.css';
import { FormChecks, focusField } from './form-checks.js';
import { FormSection } from './form-section.js';
import { type ClientForm as Form, fieldOf } from './use-client-form.js';

interface ClientFormProps {
  readonly form: Form;
  readonly examples?: Readonly<Record<string, unknown>>;
  readonly submitLabel: string;
  readonly submitting: boolean;
  readonly onSubmit: () => void;
  /** The way out without saving. */
  readonly cancel: ReactNode;
}

/** The form that the registry's own description of Clients draws. */
export function ClientForm(props: ClientFormProps) {
  const { form, examples = {}, onSubmit } = props;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (form.check()) return onSubmit();
    focusField(fieldOf(form.problems[0]?.field ?? ''));
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.layout}>
        <Stack gap="md">
          {sectionsOf(form.fields).map((section) => (
            <FormSection key={section.id} form={form} section={section} examples={examples} />
          ))}
          {form.failure && <Failure error={form.failure} />}
          <FormFoot {...props} />
        </Stack>
        <FormChecks form={form} />
      </div>
    </form>
  );
}

function FormFoot({ form, submitLabel, submitting, cancel }: ClientFormProps) {
  return (
    <div className={classes.foot}>
      <Button type="submit" loading={submitting}>
        {submitLabel}
      </Button>
      {cancel}
      <FormState form={form} />
    </div>
  );
}

/** In short, and always in sight, what the checks beside the form say in full. */
function FormState({ form }: { readonly form: Form }) {
  const { dirty, problems, warnings } = form;
  return (
    <span className={classes.state}>
      {problems.length > 0 && dirty && text('form.problems', { count: problems.length })}
      {warnings.length > 0 && (
        <span className={classes.warnings}>
          <Icon name="warning" size={14} />
          {text('clients.warnings', { count: warnings.length })}
        </span>
      )}
      {dirty && <span>{text('form.dirty')}</span>}
    </span>
  );
}
