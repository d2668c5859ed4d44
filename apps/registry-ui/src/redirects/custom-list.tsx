import { NativeSelect, Stack, Textarea } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { featuresQuery } from '../api/client-queries.js';
import { readPastedUris } from '../form/pasted-uris.js';
import { text } from '../texts/redirects.js';
import { RedirectTester } from './redirect-tester.js';
import classes from './redirects.module.css';

interface CustomListProps {
  readonly requested: string;
  readonly onChange: (requested: string) => void;
}

/** In session storage: a list may exceed the length limit of URLs. */
const KEPT = { getInitialValueInEffect: false };

/** Tests against URIs that no client has registered. */
export function CustomList(tested: CustomListProps) {
  const [list, setList] = useSessionStorage({ key: 'redirects-list', defaultValue: '', ...KEPT });
  const [type, setType] = useSessionStorage({ key: 'redirects-type', defaultValue: 'web', ...KEPT });
  return (
    <Stack gap="md">
      <div className={classes.source}>
        <Textarea
          label={text('redirects.own.list')}
          description={text('redirects.own.list.help')}
          value={list}
          onChange={(event) => setList(event.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={12}
          placeholder="https://shop.example/callback"
          spellCheck={false}
          autoCapitalize="none"
          classNames={{ input: 'mono' }}
        />
        <ApplicationType value={type} onChange={setType} />
      </div>
      <RedirectTester
        registered={{ redirect_uris: readPastedUris(list).entries, application_type: type }}
        {...tested}
      />
    </Stack>
  );
}

interface ApplicationTypeProps {
  readonly value: string;
  readonly onChange: (type: string) => void;
}

/** The registry defines the types; hidden if there is only one. */
function ApplicationType({ value, onChange }: ApplicationTypeProps) {
  const { data: features } = useQuery(featuresQuery);
  const types = features?.fields.find(({ name }) => name === 'application_type')?.allowed_values ?? [];
  if (types.length < 2) return null;
  return (
    <NativeSelect
      label={text('redirects.own.type')}
      description={text('redirects.own.type.help')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[...types]}
    />
  );
}
