console.log(Tea);
