// Which fields hold a password. One that a page shows in plain text for a while is still one.
const PASSWORD_HINTS = ['current-password', 'new-password'];
const passwords = new WeakSet();

const isPasswordNow = (input) =>
  input.type === 'password'
  || PASSWORD_HINTS.some((hint) => attribute(input, 'autocomplete')?.includes(hint))
  || getComputedStyle(input).webkitTextSecurity !== 'none';

const isSecret = (input) => {
  if (!passwords.has(input) && isPasswordNow(input)) passwords.add(input);
  return passwords.has(input);
};
