import { useQueryClient } from '@tanstack/react-query';
import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { useIdempotencyKey } from '../api/idempotency-key.js';
import { useScopeCheck } from '../api/own-token.js';
import { useSingleMutation } from '../api/single-mutation.js';
import { Failure } from '../elements/failure.js';
import { MissedNotice } from '../elements/missed-notice.js';
import { SecretRevealDialog } from '../elements/secret-reveal.js';
import { text } from '../texts/tokens.js';
import { formatDateTime } from '../texts/times.js';
import { RestrictionsInput } from './restrictions-input.js';
import { NO_RESTRICTIONS, restrictionViolations, toRestrictions } from './token-restrictions.js';
import { type CreatedToken, createToken, type NewToken, SCOPES, tokensQuery } from './tokens.js';

const CREATION_KEY = ['make-token'];

interface NewTokenDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates a token and shows its value once. */
export function NewTokenDialog({ opened, onClose }: NewTokenDialogProps) {
  const creation = useCreation();
  const created = creation.data;
  const shown = created && shownToken(created);
  const close = () => {
    creation.reset();
    creation.forget();
    onClose();
  };
  return (
    <SecretRevealDialog
      opened={opened}
      title={shown ? text('tokens.created.title', { name: created.name }) : text('tokens.create')}
      pending={creation.isPending}
      mutationKey={CREATION_KEY}
      loss={{ title: text('leave.token.title'), what: text('leave.creating') }}
      shown={shown}
      onClose={close}
    >
      <NewTokenForm
        pending={creation.isPending}
        error={creation.error}
        isMissed={creation.isSuccess}
        onCreate={creation.mutate}
        onCancel={close}
      />
    </SecretRevealDialog>
  );
}

/** It may expire sooner than requested: no later than its creator. @returns `undefined` without its value */
function shownToken({ token, expires_at: end }: CreatedToken) {
  if (token === undefined) return undefined;
  const ends = end === null ? [] : [text('tokens.once.ends', { time: formatDateTime(new Date(end)) })];
  return {
    name: text('tokens.value'),
    value: token,
    copyLabel: text('tokens.copy'),
    advice: [text('tokens.once'), ...ends].join(' '),
    loss: { title: text('leave.token.title'), what: text('leave.token') },
  } as const;
}

/** Retrying in the same dialog after a lost response does not create another token. The response then has no value. */
function useCreation() {
  const queries = useQueryClient();
  const { keyOf, forget } = useIdempotencyKey();
  const creation = useSingleMutation({
    mutationKey: CREATION_KEY,
    mutationFn: async (token: NewToken) => createToken(token, keyOf(token)),
    onSuccess: forget,
    // Even if the response was lost, the token may exist.
    onSettled: () => void queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  return { ...creation, forget };
}

/** The shorter the lifetime, the less a leaked token is worth. */
const LIFETIMES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '30 d', label: text('tokens.lifetime', { count: 30 }) },
  { value: '90 d', label: text('tokens.lifetime', { count: 90 }) },
  { value: '365 d', label: text('tokens.lifetime', { count: 365 }) },
  { value: '', label: text('tokens.lifetime.forever') },
];

interface NewTokenFormProps {
  readonly pending: boolean;
  readonly error: Error | null;
  /** An earlier attempt has created the token, but its response was lost. */
  readonly isMissed: boolean;
  readonly onCreate: (token: NewToken) => void;
  readonly onCancel: () => void;
}

function NewTokenForm({ pending, error, isMissed, onCreate, onCancel }: NewTokenFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['clients:read']);
  const [lifetime, setLifetime] = useState('90 d');
  const violations = error instanceof ApiError ? error.errors : [];
  const violationOf = (field: string) =>
    violations.find((violation) => violation.field.split('/')[1] === field)?.message;
  const registers = scopes.includes('clients:register');
  const [typed, setTyped] = useState(NO_RESTRICTIONS);
  const restrictions = registers ? typed : { ...typed, max_registrations: '', registrations_per_day: '' };
  const mistyped = restrictionViolations(restrictions);
  const incomplete = name.trim() === '' || scopes.length === 0 || Object.keys(mistyped).length > 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const granted = SCOPES.map(({ scope }) => scope).filter((scope) => scopes.includes(scope));
    onCreate({
      name: name.trim(),
      scopes: granted,
      ...(lifetime !== '' && { expires_in: lifetime }),
      ...toRestrictions(restrictions),
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <NameInput value={name} onChange={setName} error={violationOf('name')} />
        <ScopesInput value={scopes} onChange={setScopes} error={violationOf('scopes')} />
        <LifetimeInput value={lifetime} onChange={setLifetime} error={violationOf('expires_in')} />
        <RestrictionsInput
          value={typed}
          onChange={setTyped}
          registers={registers}
          violationOf={(field) => mistyped[field] ?? violationOf(field)}
        />
        {isMissed && <MissedNotice title={text('tokens.missed')} how={text('tokens.missed.how')} />}
        {error && violations.length === 0 && <Failure error={error} takesFocus />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={pending} onClick={onCancel}>
            {text('action.cancel')}
          </Button>
          <Button type="submit" loading={pending} disabled={incomplete}>
            {text('tokens.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TextFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

function NameInput({ value, onChange, error }: TextFieldProps) {
  return (
    <TextInput
      label={text('tokens.name')}
      description={text('tokens.name.help')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      autoComplete="off"
      data-autofocus
    />
  );
}

function LifetimeInput({ value, onChange, error }: TextFieldProps) {
  return (
    <NativeSelect
      label={text('tokens.lifetime.label')}
      description={text('tokens.lifetime.help')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={LIFETIMES}
      error={error}
    />
  );
}

interface ScopesInputProps {
  readonly value: string[];
  readonly onChange: (scopes: string[]) => void;
  readonly error: string | undefined;
}

/** Users cannot grant scopes they do not hold. */
function ScopesInput({ value, onChange, error }: ScopesInputProps) {
  const lacking = useScopeCheck();
  return (
    <Checkbox.Group
      label={text('tokens.scopes')}
      description={text('tokens.scopes.help')}
      value={value}
      onChange={onChange}
      error={error}
    >
      <Stack gap="sm" mt="sm">
        {SCOPES.map(({ scope, what }) => (
          <Checkbox
            key={scope}
            value={scope}
            label={<code>{scope}</code>}
            description={text(what)}
            disabled={lacking(scope)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
