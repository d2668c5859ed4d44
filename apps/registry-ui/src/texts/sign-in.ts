import en from './en/sign-in.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
