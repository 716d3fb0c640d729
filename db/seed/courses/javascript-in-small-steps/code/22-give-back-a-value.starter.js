function seven() {

}
console.log(seven());
