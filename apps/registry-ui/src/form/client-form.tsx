import { Button, Stack, UnstyledButton } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect } from 'react';
import type { Violation } from '../api/api-error.js';
import { useLacksScope } from '../api/own-token.js';
import { FootBar } from '../elements/foot-bar.js';
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
  /** Leaves without saving. */
  readonly cancel: ReactNode;
}

/** A form generated from the registry's field descriptions. */
export function ClientForm(props: ClientFormProps) {
  const { form, examples = {}, onSubmit } = props;
  const send = () => {
    if (form.check()) return onSubmit();
    focusFirst(form.violations);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    send();
  };
  const { refused, failure } = form;
  useEffect(() => {
    // A failure takes the focus itself.
    if (!failure) focusFirst(refused);
  }, [refused, failure]);
  return (
    <form onSubmit={submit} noValidate>
      <div className={classes.layout}>
        <Stack gap="md">
          {sectionsOf(form.fields).map((section) => (
            <FormSection key={section.id} form={form} section={section} examples={examples} />
          ))}
          <FormFoot {...props} onRetry={send} />
        </Stack>
        <FormChecks form={form} />
      </div>
    </form>
  );
}

interface FormFootProps extends ClientFormProps {
  readonly onRetry: () => void;
}

function FormFoot({ form, submitLabel, submitting, cancel, onRetry }: FormFootProps) {
  // A notice above the form explains why the button is disabled.
  const lacks = useLacksScope('clients:write');
  return (
    <FootBar failure={form.failure} onRetry={onRetry}>
      <Button type="submit" loading={submitting} disabled={lacks}>
        {submitLabel}
      </Button>
      {cancel}
      <FormState form={form} />
    </FootBar>
  );
}

/** A summary of the checks that is always visible and links to them. */
function FormState({ form }: { readonly form: Form }) {
  const { dirty, violations, warnings } = form;
  return (
    <span className={classes.state}>
      {violations.length > 0 && dirty && (
        <UnstyledButton className={classes.violations} onClick={() => focusFirst(violations)}>
          {text('form.issues', { count: violations.length })}
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

function focusFirst([first]: readonly Violation[]): void {
  if (first && !focusField(fieldOf(first.field))) focusChecks();
}
