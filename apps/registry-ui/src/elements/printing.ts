import { flushSync } from 'react-dom';
import { createStore } from './store.js';

const printing = createStore(false);

/** Whether the page is being printed. */
export const usePrinting = printing.use;

// Synchronous: the browser takes the page as it is when the event ends.
addEventListener('beforeprint', () => flushSync(() => printing.set(true)));
addEventListener('afterprint', () => flushSync(() => printing.set(false)));
