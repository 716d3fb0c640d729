function username(name) {
  return name;
}

function shorten(text, max) {
  return text + '…';
}

console.log(username(' Ada Lovelace '));
