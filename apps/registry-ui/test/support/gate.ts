/** Something that waits until a test lets it go on. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function newGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
