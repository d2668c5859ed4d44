import { Button, Fieldset, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { FeatureField, Features } from '../api/client-documents.js';
import { featuresQuery } from '../api/client-queries.js';
import { Dialog } from '../elements/dialog.js';
import { Failure } from '../elements/failure.js';
import { FieldInput } from '../form/field-input.js';
import { inputFields, sameValue } from '../form/form-values.js';
import { useClientForm } from '../form/use-client-form.js';
import { fieldOf } from '../form/use-refusal.js';
import { REPEATED_KEY } from '../form/validate-form.js';
import { JobPreview } from '../jobs/job-dialog.js';
import type { NewJob } from '../jobs/jobs.js';
import { useIsStarting } from '../jobs/use-jobs.js';
import { text } from '../texts/bulk.js';

interface EditManyProps {
  readonly target: Pick<NewJob, 'filter' | 'client_ids'>;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Gives many clients the same value of one field, by a job, after a preview. */
export function EditMany({ opened, onClose, target }: EditManyProps) {
  const { data: features, error, refetch } = useQuery(featuresQuery);
  const isStarting = useIsStarting();
  return (
    <Dialog
      opened={opened}
      title={text('bulk.edit.title')}
      size="lg"
      guarded={isStarting}
      hasInputs
      onClose={onClose}
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {features && <Editing features={features} target={target} disabled={isStarting} onClose={onClose} />}
    </Dialog>
  );
}

interface EditingProps extends Omit<EditManyProps, 'opened'> {
  readonly features: Features;
  /** Another value would hide the preview, which shows why the start failed. */
  readonly disabled: boolean;
}

function Editing({ features, target, disabled, onClose }: EditingProps) {
  const form = useClientForm({ features, eachFieldAlone: true });
  const fields = inputFields(features.fields, 'edit').filter(hasChoice);
  const [name, setName] = useState('');
  const [previewed, setPreviewed] = useState<NewJob['patch']>();
  const field = fields.find((each) => each.name === name);
  const patch = field && { [field.name]: valueFor(field, form.body[field.name]) };
  const preview = (event: SubmitEvent) => {
    event.preventDefault();
    setPreviewed(patch);
  };
  // Of two entries with one key, only one would be sent.
  const isAmbiguous = form.violations.some(
    ({ field: pointer, code }) => code === REPEATED_KEY && fieldOf(pointer) === name,
  );
  const isPreviewed = previewed !== undefined && sameValue(previewed, patch);
  return (
    <Stack gap="md">
      <form onSubmit={preview} noValidate>
        <Fieldset variant="unstyled" disabled={disabled}>
          <Stack gap="md">
            <NativeSelect
              label={text('bulk.edit.field')}
              data={[{ value: '', label: text('bulk.edit.choose') }, ...fields.map(optionOf)]}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            {field && <FieldInput key={name} form={form} field={field} example={undefined} />}
            {field && canBeEmpty(field) && <Text className="hint">{text(emptyHint(field))}</Text>}
            {!isPreviewed && <PreviewButtons disabled={!field || isAmbiguous} onClose={onClose} />}
          </Stack>
        </Fieldset>
      </form>
      {isPreviewed && (
        <div ref={takeFocus} tabIndex={-1} role="group" aria-label={text('bulk.edit.preview')}>
          <JobPreview job={{ ...target, action: 'patch', patch: previewed }} onClose={onClose} />
        </div>
      )}
    </Stack>
  );
}

function PreviewButtons({ disabled, onClose }: { readonly disabled: boolean; readonly onClose: () => void }) {
  return (
    <Group justify="flex-end" gap="sm">
      <Button variant="default" onClick={onClose}>
        {text('action.cancel')}
      </Button>
      <Button type="submit" disabled={disabled}>
        {text('bulk.edit.preview')}
      </Button>
    </Group>
  );
}

/** The button that had the focus is gone. */
function takeFocus(preview: HTMLElement | null): void {
  preview?.focus();
}

/** All clients have the only allowed value of a field already. */
function hasChoice({ allowed_values: allowed }: FeatureField): boolean {
  return allowed?.length !== 1;
}

function optionOf({ name, label }: FeatureField) {
  return { value: name, label };
}

/** Neither a switch nor a choice of one can be emptied. */
function canBeEmpty({ type, required, allowed_values: allowed }: FeatureField): boolean {
  return !required && type !== 'boolean' && (type === 'string[]' || allowed === undefined);
}

/** Null restores the default, as does an empty list of a field that has one. */
function valueFor(field: FeatureField, value: unknown): unknown {
  const isEmpty = Array.isArray(value) && value.length === 0 && field.default !== undefined;
  return isEmpty && canBeEmpty(field) ? null : (value ?? null);
}

/** A merge patch adds entries of maps to those that a client has. */
function emptyHint({ type }: FeatureField) {
  return type === 'map' ? 'bulk.edit.merged' : 'bulk.edit.empty';
}
