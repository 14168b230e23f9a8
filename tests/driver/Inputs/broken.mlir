func.func @f() {
  "a.b"(%undefined) : (f32) -> ()
  return
}
