/** An error message as a sentence: `the body is empty` → `The body is empty.` */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
