/** Apple's keyboards have Command where others have Control. */
const isApple = /^(Mac|iP)/.test(navigator.platform);

/** The label of the key that shortcuts are held with. */
export const modKey = isApple ? '⌘' : 'Ctrl';
