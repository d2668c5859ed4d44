import { type Document, isAlias, isNode, isPair, isScalar, type Node, type Scalar, visit } from 'yaml';

/** A value that must be encrypted, and is not. */
export interface Unsealed {
  /** Offset of the value, or of the alias that stands for it. */
  readonly offset: number;
  /** The key that demands it. */
  readonly key: string;
}

/** @param keys patterns of keys below which every value must be encrypted or empty */
export function findUnsealed(document: Document.Parsed, keys: readonly RegExp[]): Unsealed[] {
  const found: Unsealed[] = [];
  const anchors = new Map<string, Node>();
  /** By anchored node: whether it contains a plain value. Aliases within it were visited earlier, so theirs are known. */
  const aliased = new Map<Node, boolean>();
  const targetOf = (node: unknown): unknown => (isAlias(node) ? anchors.get(node.source) : node);
  const isPlain = (node: Node): boolean => {
    const target = targetOf(node);
    return isAlias(node) ? isNode(target) && aliased.get(target) === true : isScalar(node) && !isSealed(node);
  };
  const hasPlain = (target: Node): boolean => {
    let has = false;
    visit(target, (key, node) => {
      has ||= key !== 'key' && isNode(node) && isPlain(node);
      return has ? visit.BREAK : undefined;
    });
    return has;
  };
  visit(document, (key, node, ancestors) => {
    if (!isNode(node)) return;
    const target = targetOf(node);
    if (isAlias(node) && isNode(target) && !aliased.has(target)) aliased.set(target, hasPlain(target));
    if (!isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    if (key === 'key' || !isPlain(node)) return;
    const names = ancestors.map((one) => (isPair(one) ? targetOf(one.key) : undefined));
    const secret = names
      .filter(isScalar)
      .map(({ value }) => String(value))
      .find((name) => keys.some((one) => one.test(name)));
    if (secret !== undefined) found.push({ offset: node.range?.[0] ?? 0, key: secret });
  });
  return found;
}

/** Empty, or `!encpwd "…"`, as a tag or as text, with or without quotes. Whether it decrypts is another check. */
const isSealed = ({ tag, value }: Scalar): boolean =>
  value === null ||
  value === '' ||
  tag === '!encpwd' ||
  (typeof value === 'string' && /^!encpwd\s+(["']?)(?:eyJ[\w.-]*|\{.*\})\1$/.test(value.trim()));
