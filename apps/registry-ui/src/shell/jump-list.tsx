import { useEffect } from 'react';
import type { ClientDocument } from '@svc/client-metadata';
import { Icon } from '../elements/icon.js';
import { FoundClient } from '../search/found-client.js';
import { text, type TextName } from '../texts/text.js';
import classes from './jump.module.css';
import type { Place } from './places.js';

/** One thing that the jump box leads to; a key is a place's address or a client_id, which never begins with a slash. */
export type Found =
  | { readonly kind: 'place'; readonly key: string; readonly place: Place }
  | { readonly kind: 'client'; readonly key: string; readonly client: ClientDocument };

export const LIST_ID = 'jump-list';

const GROUPS: readonly { readonly kind: Found['kind']; readonly title: TextName }[] = [
  { kind: 'place', title: 'jump.places' },
  { kind: 'client', title: 'clients.title' },
];

interface JumpListProps {
  readonly found: readonly Found[];
  /** The one that Enter opens. */
  readonly current: Found | undefined;
  readonly searching: boolean;
  readonly onOpen: (found: Found) => void;
}

/** What was found, in groups. The focus stays in the box; the current one is told to those who hear it. */
export function JumpList({ found, current, searching, onOpen }: JumpListProps) {
  const currentId = current && optionId(current);
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  return (
    <>
      <div role="listbox" id={LIST_ID} aria-label={text('jump.found')} className={classes.list}>
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
                  {one.kind === 'place' ? (
                    <FoundPlace place={one.place} />
                  ) : (
                    <FoundClient client={one.client} />
                  )}
                </div>
              ))}
            </div>
          );
        })}
      </div>
      <div role="status">
        {found.length === 0 && (
          <p className={classes.empty}>{text(searching ? 'jump.searching' : 'jump.nothing')}</p>
        )}
      </div>
    </>
  );
}

/** The id of its element; ids of Clients may hold what ids of elements may not. */
export function optionId({ key }: Found): string {
  return `jump-${encodeURIComponent(key)}`;
}

function FoundPlace({ place: { name, icon } }: { readonly place: Place }) {
  return (
    <span className={classes.place}>
      <Icon name={icon} />
      {text(name)}
    </span>
  );
}
