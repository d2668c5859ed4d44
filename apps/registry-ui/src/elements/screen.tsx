import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { text } from '../texts/text.js';
import classes from './screen.module.css';

interface ScreenProps {
  readonly title: string;
  /** One sentence about what the screen is for. */
  readonly lead?: ReactNode;
  /** What stands at the title's right: the one primary action and its lesser companions. */
  readonly actions?: ReactNode;
  /** What stands above the title, such as the way back. */
  readonly above?: ReactNode;
  /** A screen whose table scrolls by itself fills the window; any other scrolls as a page and keeps its lines short. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}

/** Leads the focus to the screen's title where it would be lost: what had it is there no more. */
export function focusTitle(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(TITLE)?.focus({ preventScroll: true });
  });
}

const TITLE = 'main h1[tabindex]';

/** The frame of every screen: its title takes the focus when it is opened, so that it is read out. */
export function Screen({ title, lead, actions, above, fills = false, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = text('app.screen', { title });
  }, [title]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div className={fills ? classes.filling : classes.page}>
      {above}
      <Group justify="space-between" align="flex-start" wrap="wrap" gap="md">
        <Stack gap="xs" className={classes.heading}>
          <Title order={1} ref={heading} tabIndex={-1} title={title} className={`foreign ${classes.title}`}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" className={classes.lead} component="div">
              {lead}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}
