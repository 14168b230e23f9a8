#alias = loc("there")

module {
  func.func @mine(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      attributes {alpha, remat.auto_selected = 7 : i64,
                  remat.budget = "6MiB", "zeta" = 1 : i64} {
    // above the pair
    %0:2 = "test.two"(%x)   :   (tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<4xf32>)
    %7 = arith.mulf %x, %x : tensor<1024x1024xf32> loc(#alias) // behind it
    // above the negation
    %v7_remat = arith.negf %x : tensor<1024x1024xf32>
    // far
    %1 = "test.keep"(%7) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %2 = arith.addf %7, %v7_remat : tensor<1024x1024xf32>
    %3 = arith.addf %2, %0#0 : tensor<1024x1024xf32>
    return %3 : tensor<1024x1024xf32>
  }
}
