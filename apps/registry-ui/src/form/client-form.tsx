import { Button, Stack, UnstyledButton } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect } from 'react';
import type { FieldProblem } from '../api/api-error.js';
import { useLacks } from '../api/own-token.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { sectionsOf } from '../metadata/sections.js';
import { text } from '../texts/text.js';
import classes from './form.module.css';
import { focusChecks, focusField, FormChecks } from './form-checks.js';
import { FormSection } from './form-section.js';
import type { ClientForm as Form } from './use-client-form.js';
import { fieldOf } from './use-refusal.js';

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
    focusFirst(form.problems);
  };
  const { refused } = form;
  useEffect(() => focusFirst(refused), [refused]);
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
  // Why it stands still is said above the form.
  const lacks = useLacks('clients:write');
  return (
    <div className={classes.foot}>
      <Button type="submit" loading={submitting} disabled={lacks}>
        {submitLabel}
      </Button>
      {cancel}
      <FormState form={form} />
    </div>
  );
}

/** In short, and always in sight, what the checks beside or below the form say in full; it leads there. */
function FormState({ form }: { readonly form: Form }) {
  const { dirty, problems, warnings } = form;
  return (
    <span className={classes.state}>
      {problems.length > 0 && dirty && (
        <UnstyledButton className={classes.problems} onClick={() => focusFirst(problems)}>
          {text('form.problems', { count: problems.length })}
        </UnstyledButton>
      )}
      {warnings.length > 0 && (
        <UnstyledButton className={classes.warnings} onClick={focusChecks}>
          <Icon name="warning" size={14} />
          {text('clients.warnings', { count: warnings.length })}
        </UnstyledButton>
      )}
      {dirty && <span>{text('form.dirty')}</span>}
    </span>
  );
}

function focusFirst([first]: readonly FieldProblem[]): void {
  if (first) focusField(fieldOf(first.field));
}
