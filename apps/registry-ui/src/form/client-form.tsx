import { Button, UnstyledButton } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect } from 'react';
import type { Violation } from '../api/api-error.js';
import { useLacksScope } from '../api/own-token.js';
import { FootBar } from '../elements/foot-bar.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/form.js';
import classes from './form.module.css';
import { focusField } from './input-help.js';
import type { ClientForm as Form } from './use-client-form.js';
import { fieldOf } from './use-refusal.js';

interface ClientFormProps {
  readonly form: Form;
  readonly submitLabel: string;
  readonly submitting: boolean;
  readonly onSubmit: () => void;
  /** Leaves without saving. */
  readonly cancel: ReactNode;
  /** What is being edited, for the bar. */
  readonly unsaved?: string;
  /** The inputs. */
  readonly children: ReactNode;
}

/** The frame of a client form: its bar is always in sight, and the first issue takes the focus. */
export function ClientForm(props: ClientFormProps) {
  const { form, submitting, onSubmit, children } = props;
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
      {/* What was typed after sending would be lost. */}
      <div inert={submitting}>{children}</div>
      <FormFoot {...props} onSave={send} />
    </form>
  );
}

interface FormFootProps extends ClientFormProps {
  readonly onSave: () => void;
}

function FormFoot({ form, submitLabel, submitting, cancel, unsaved, onSave }: FormFootProps) {
  // A notice above the form explains why the button is disabled.
  const lacks = useLacksScope('clients:write');
  return (
    <FootBar failure={form.failure} onSave={lacks || submitting ? undefined : onSave}>
      <Button type="submit" loading={submitting} disabled={lacks}>
        {submitLabel}
      </Button>
      {cancel}
      <FormState form={form} unsaved={unsaved} />
    </FootBar>
  );
}

interface FormStateProps {
  readonly form: Form;
  readonly unsaved: string | undefined;
}

/** A summary of the checks that is always visible and links to them. */
function FormState({ form, unsaved = text('form.dirty') }: FormStateProps) {
  const { dirty, warnings } = form;
  const violations = form.violations.filter(
    ({ field }) => dirty || form.shownViolations(fieldOf(field)).length > 0,
  );
  const known = new Set(form.fields.map(({ name }) => name));
  const elsewhere = violations.filter(({ field }) => !known.has(fieldOf(field)));
  return (
    <span className={classes.state} role="status">
      {elsewhere.map(({ field, message }) => (
        <span key={`${field} ${message}`} className={classes.violations}>
          {message}
        </span>
      ))}
      {violations.length > 0 && (
        <UnstyledButton className={classes.violations} onClick={() => focusFirst(violations)}>
          {text('form.issues', { count: violations.length })}
        </UnstyledButton>
      )}
      {warnings.length > 0 && (
        <UnstyledButton className={classes.warnings} onClick={() => focusFirst(warnings)}>
          <Icon name="warning" size={14} />
          {text('clients.warnings', { count: warnings.length })}
        </UnstyledButton>
      )}
      {dirty && <span>{unsaved}</span>}
    </span>
  );
}

function focusFirst(violations: readonly Violation[]): void {
  violations.some(({ field }) => focusField(fieldOf(field)));
}
