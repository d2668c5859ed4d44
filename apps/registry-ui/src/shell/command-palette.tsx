import { Input, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { useFocusReturn } from '../elements/dialog.js';
import { Icon } from '../elements/icon.js';
import type { Command } from '../elements/screen-commands.js';
import { ClientResult } from '../search/client-result.js';
import { usePendingEnter, useClientSearch } from '../search/use-client-search.js';
import { text, type TextName } from '../texts/text.js';
import classes from './command-palette.module.css';
import { PALETTE_PAGES, type Page } from './pages.js';
import { useCommands } from './use-commands.js';

interface CommandPaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onShowKeys: () => void;
}

/** Finds a page, a command or a client by a few letters. */
export function CommandPalette({ opened, onClose, onShowKeys }: CommandPaletteProps) {
  useFocusReturn(opened);
  return (
    <Modal.Root opened={opened} onClose={onClose} size={600} yOffset={80} padding={0} returnFocus={false}>
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content radius="lg" aria-label={text('palette.name')} className={classes.content}>
        <Modal.Body>
          <PaletteBox onClose={onClose} onShowKeys={onShowKeys} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The input, which keeps the focus, and its results. */
function PaletteBox({ onClose, onShowKeys }: Omit<CommandPaletteProps, 'opened'>) {
  const [typed, setTyped] = useState('');
  const { found, searching, error } = useResults(typed, useCommands(onShowKeys));
  const open = useOpening(onClose);
  const choice = useChoice(found, searching, open);
  return (
    <>
      <Input
        size="lg"
        variant="unstyled"
        className={classes.search}
        leftSection={<Icon name="search" />}
        placeholder={text('palette.placeholder')}
        aria-label={text('palette.placeholder')}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          choice.begin();
        }}
        onKeyDown={choice.press}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={LIST_ID}
        aria-activedescendant={choice.current && optionId(choice.current)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <ResultList found={found} typed={typed} current={choice.current} onOpen={open} />
      <Status found={found} searching={searching} error={error} />
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The result that Enter opens: the first that needs no choosing, unless arrow keys select another. */
function useChoice(found: readonly Result[], searching: boolean, open: (found: Result) => void) {
  const [chosen, setChosen] = useState<string>();
  const chosenAt = found.findIndex(({ key }) => key === chosen);
  const at = chosenAt < 0 ? found.findIndex((one) => !needsChoosing(one)) : chosenAt;
  const current = found[at];
  // While a response is pending, the clients shown may be for earlier input; pages never are.
  const ready = !searching || (current !== undefined && current.kind !== 'client');
  const enter = usePendingEnter(ready, () => {
    if (current) open(current);
  });
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = STEPS[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) return enter.ask();
    // An Enter that is still pending was not meant for this one.
    enter.cancel();
    const from = at < 0 && step < 0 ? 0 : at;
    setChosen(found[(from + step + found.length) % found.length]?.key);
  };
  const begin = () => {
    setChosen(undefined);
    enter.cancel();
  };
  return { current, press, begin };
}

interface Results {
  /** Pages and clients that match the input. */
  readonly found: readonly Result[];
  readonly searching: boolean;
  readonly error: Error | null;
}

function useResults(typed: string, commands: readonly Command[]): Results {
  const { clients, searching, error } = useClientSearch(typed);
  const words = typed.toLowerCase().split(/\s+/);
  const matches = (name: string) => words.every((word) => name.toLowerCase().includes(word));
  const places = PALETTE_PAGES.filter(({ name }) => matches(text(name)));
  const offered = commands.filter(({ name }) => matches(name));
  const found = [
    ...places.map((place) => ({ kind: 'place', key: place.to, place }) as const),
    ...offered.map((command) => ({ kind: 'command', key: `/do/${command.id}`, command }) as const),
    ...clients.map((client) => ({ kind: 'client', key: client.client_id, client }) as const),
  ];
  return { found, searching, error };
}

function useOpening(onClose: () => void): (found: Result) => void {
  const navigate = useNavigate();
  return (found) => {
    onClose();
    if (found.kind === 'command') found.command.act();
    else if (found.kind === 'place') void navigate({ to: found.place.to });
    else void navigate({ to: '/clients/$clientId', params: { clientId: found.client.client_id } });
  };
}

/** A result; the keys of pages and commands start with a slash, unlike a client's. */
type Result =
  | { readonly kind: 'place'; readonly key: string; readonly place: Page }
  | { readonly kind: 'command'; readonly key: string; readonly command: Command }
  | { readonly kind: 'client'; readonly key: string; readonly client: ClientDocument };

function needsChoosing(result: Result): boolean {
  return result.kind === 'command' && result.command.needsChoosing === true;
}

const LIST_ID = 'jump-list';

const GROUPS: readonly { readonly kind: Result['kind']; readonly title: TextName }[] = [
  { kind: 'place', title: 'palette.places' },
  { kind: 'command', title: 'palette.commands' },
  { kind: 'client', title: 'clients.title' },
];

interface ResultListProps {
  readonly found: readonly Result[];
  readonly typed: string;
  /** The result that Enter opens. */
  readonly current: Result | undefined;
  readonly onOpen: (found: Result) => void;
}

/** Grouped results. The focus stays in the input; the current result is announced to screen readers. */
function ResultList({ found, typed, current, onOpen }: ResultListProps) {
  const currentId = current && optionId(current);
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  return (
    <div role="listbox" id={LIST_ID} aria-label={text('palette.found')} className={classes.list}>
      {GROUPS.map(({ kind, title }) => {
        const members = found.filter((one) => one.kind === kind);
        if (members.length === 0) return null;
        return (
          <div key={kind} role="group" aria-label={text(title)}>
            <div className={classes.group} aria-hidden>
              {text(title)}
            </div>
            {members.map((one) => (
              <div
                key={one.key}
                id={optionId(one)}
                role="option"
                aria-selected={one.key === current?.key}
                className={classes.option}
                onClick={() => onOpen(one)}
              >
                {one.kind === 'client' ? (
                  <ClientResult client={one.client} searched={typed} />
                ) : (
                  <NamedResult {...namedIn(one)} />
                )}
              </div>
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** What stands in place of results. */
function Status({ found, searching, error }: Results) {
  return (
    <div role="status">
      {error && <p className={classes.empty}>{error.message}</p>}
      {!error && found.length === 0 && (
        <p className={classes.empty}>{text(searching ? 'palette.searching' : 'palette.nothing')}</p>
      )}
    </div>
  );
}

/** Client ids may contain characters that element ids may not. */
function optionId({ key }: Result): string {
  return `jump-${encodeURIComponent(key)}`;
}

type Named = Pick<Command, 'name' | 'icon'>;

function namedIn(result: Exclude<Result, { kind: 'client' }>): Named {
  if (result.kind === 'command') return result.command;
  const { name, icon } = result.place;
  return { name: text(name), icon };
}

function NamedResult({ name, icon }: Named) {
  return (
    <span className={`foreign ${classes.place}`}>
      <Icon name={icon} />
      {name}
    </span>
  );
}
