#alias = loc("there")

module {
  func.func @mine(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      attributes {alpha, remat.auto_selected = 2 : i64,
                  remat.budget = "6MiB", remat.budget_bytes = 6291456 : i64, remat.budget_source = "explicit_function", remat.peak_after_bytes = 4194304 : i64, remat.peak_before_bytes = 12582912 : i64, remat.projected_clones = 3 : i64, remat.rematerialized = 2 : i64, remat.selected_cost_ns = 2097152 : i64, "zeta" = 1 : i64} {
    // above the pair
    %0:2 = "test.two"(%x)   :   (tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<4xf32>)
    %v7_remat2 = arith.mulf %x, %x : tensor<1024x1024xf32> loc(#alias) // behind it
    // far
    %1 = "test.keep"(%v7_remat2) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    // above the negation
    %v7_remat_remat = arith.negf %x : tensor<1024x1024xf32>
    %v7_remat3 = arith.mulf %x, %x : tensor<1024x1024xf32> loc(#alias)
    %2 = arith.addf %v7_remat3, %v7_remat_remat : tensor<1024x1024xf32>
    %3 = arith.addf %2, %0#0 : tensor<1024x1024xf32>
    return %3 : tensor<1024x1024xf32>
  }
}
