import { createPrivateKey } from 'node:crypto';

/**
 * The PEM in the text of PRIVATE_KEY or of a key file: real or written (`\n`) line breaks, or the base64 of a PEM,
 * as Probot takes it. Null where it is no RSA private key, which is the only kind GitHub gives an App.
 */
export const pemOf = (text: string): string | null => {
  const plain = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('utf8');
  const [, label, body] =
    /-----BEGIN ((?:RSA )?PRIVATE KEY)-----([\sA-Za-z0-9+/=]+)-----END \1-----/.exec(
      plain.replaceAll('\\r', '').replaceAll('\\n', '\n'),
    ) ?? [];
  if (label === undefined || body === undefined) return null;
  const lines = body.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  const pem = [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa' ? pem : null;
  } catch {
    // Node's message quotes the OpenSSL error; the caller says what to do instead.
    return null;
  }
};
