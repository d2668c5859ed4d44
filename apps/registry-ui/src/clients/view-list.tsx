import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { CopyButton } from '../elements/copy-button.js';
import { Icon } from '../elements/icon.js';
import { parseSearch } from '../navigation/search-params.js';
import { text } from '../texts/clients.js';
import { readListSearch } from './list-search.js';
import classes from './list-toolbar.module.css';

const MAX_NAME = 60;

/** The query strings of views by name. */
export type Views = Readonly<Record<string, string>>;

interface ViewListProps {
  readonly views: Views;
  /** The name of the view that is shown, if it has one. */
  readonly current: string | undefined;
  /** The query of the list as it is shown. */
  readonly query: string;
  readonly onChange: (views: Views) => void;
  readonly onOpen: () => void;
}

/** Saved views to open and remove, a name for this one, and its link. */
export function ViewList({ views, current, query, onChange, onOpen }: ViewListProps) {
  const remove = (name: string) => {
    const { [name]: _, ...others } = views;
    onChange(others);
  };
  return (
    <Stack gap="md" w={280} maw="calc(100vw - 48px)">
      <SavedViews views={views} current={current} onOpen={onOpen} onRemove={remove} />
      <SaveView key={query} views={views} onSave={(name) => onChange({ ...views, [name]: query })} />
      <CopyButton
        value={`${location.origin}${location.pathname}${query}`}
        what={text('views.link')}
        label={text('views.link.do')}
      />
    </Stack>
  );
}

interface SavedViewsProps {
  readonly views: Views;
  readonly current: string | undefined;
  readonly onOpen: () => void;
  readonly onRemove: (name: string) => void;
}

function SavedViews({ views, current, onOpen, onRemove }: SavedViewsProps) {
  const names = Object.keys(views).sort((one, other) => one.localeCompare(other));
  if (names.length === 0) return <p className="hint">{text('views.none')}</p>;
  return (
    <ul className={classes.views} aria-label={text('views.saved')}>
      {names.map((name) => (
        <li key={name}>
          <Link
            to="/clients"
            search={readListSearch(parseSearch(views[name] ?? ''))}
            className="one-line"
            aria-current={name === current ? 'true' : undefined}
            onClick={onOpen}
          >
            <bdi>{name}</bdi>
          </Link>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={text('views.remove', { name })}
            title={text('views.remove', { name })}
            onClick={() => onRemove(name)}
          >
            <Icon name="cross" size={12} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

interface SaveViewProps {
  readonly views: Views;
  readonly onSave: (name: string) => void;
}

function SaveView({ views, onSave }: SaveViewProps) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    if (name === '') return;
    onSave(name);
    setTyped('');
  };
  return (
    <form onSubmit={save}>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          label={text('views.name')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={MAX_NAME}
          autoComplete="off"
          style={{ flex: 1 }}
        />
        <Button type="submit" variant="default" disabled={name === ''}>
          {text(Object.hasOwn(views, name) ? 'views.replace' : 'views.save')}
        </Button>
      </Group>
    </form>
  );
}
