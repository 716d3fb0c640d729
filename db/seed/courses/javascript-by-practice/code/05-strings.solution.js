function username(name) {
  return name.trim().toLowerCase().replaceAll(' ', '.');
}

function shorten(text, max) {
  if (text.length <= max) return text;
  return text.slice(0, max - 1) + '…';
}

console.log(username(' Ada Lovelace '));
